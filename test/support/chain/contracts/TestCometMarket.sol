// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {TestAccrual} from "./TestAccrual.sol";
import {TestCometMoves} from "./TestCometMoves.sol";

/// Compound v3's market as its depositors see it: a balance has the interest, and no more can be withdrawn.
contract TestCometMarket is TestCometMoves, TestAccrual {
    /// Principals, 27 decimals beyond the token's.
    mapping(address => uint256) private shares;

    function supply(address asset, uint256 amount) public override {
        shares[msg.sender] += sharesOf(amount * 1e27);
        super.supply(asset, amount);
    }

    function withdraw(address asset, uint256 amount) public override {
        shares[msg.sender] -= sharesFor(amount * 1e27);
        super.withdraw(asset, amount);
    }

    function balanceOf(address account) external view returns (uint256) {
        return shares[account] * index() / 1e54;
    }
}
