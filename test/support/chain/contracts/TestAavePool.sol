// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What of Aave v3's pool is read: a reserve's normalised income, 27 decimals.
contract TestAavePool {
    mapping(address => uint256) private incomes;

    function setIncome(address reserve, uint256 income) external {
        incomes[reserve] = income;
    }

    function getReserveNormalizedIncome(address reserve) external view returns (uint256) {
        return incomes[reserve];
    }
}
