// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A custody account that is a contract: it makes several calls in one transaction, for anybody.
contract TestAccount {
    function run(address[] calldata targets, bytes[] calldata data) external {
        for (uint256 i = 0; i < targets.length; i++) {
            (bool done,) = targets[i].call(data[i]);
            require(done, "TestAccount: call failed");
        }
    }
}
