// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {TestAaveMoves} from "./TestAaveMoves.sol";
import {TestAavePool} from "./TestAavePool.sol";
import {TestAccrual} from "./TestAccrual.sol";

/// Aave v3's pool with one reserve, as its depositors see it: a balance of aTokens has the interest, and no more can be withdrawn. It is its own aToken.
contract TestAaveMarket is TestAaveMoves, TestAccrual {
    /// Scaled balances, 27 decimals beyond the token's.
    mapping(address => uint256) private shares;

    function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode) public override {
        shares[onBehalfOf] += sharesOf(amount * 1e27);
        super.supply(asset, amount, onBehalfOf, referralCode);
    }

    function withdraw(address asset, uint256 amount, address to) public override returns (uint256) {
        shares[msg.sender] -= sharesFor(amount * 1e27);
        return super.withdraw(asset, amount, to);
    }

    function balanceOf(address account) external view returns (uint256) {
        return shares[account] * index() / 1e54;
    }

    function getReserveNormalizedIncome(address) external view returns (uint256) {
        return index();
    }

    function getReserveData(address) external view returns (TestAavePool.ReserveData memory data) {
        data.aTokenAddress = address(this);
    }
}
