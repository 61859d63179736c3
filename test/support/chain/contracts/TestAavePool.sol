// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What of Aave v3's pool is read: a reserve's normalised income, 27 decimals, and where its tokens are.
contract TestAavePool {
    struct ReserveData {
        uint256 configuration;
        uint128 liquidityIndex;
        uint128 currentLiquidityRate;
        uint128 variableBorrowIndex;
        uint128 currentVariableBorrowRate;
        uint128 currentStableBorrowRate;
        uint40 lastUpdateTimestamp;
        uint16 id;
        address aTokenAddress;
        address stableDebtTokenAddress;
        address variableDebtTokenAddress;
        address interestRateStrategyAddress;
        uint128 accruedToTreasury;
        uint128 unbacked;
        uint128 isolationModeTotalDebt;
    }

    mapping(address => uint256) private incomes;
    mapping(address => address) private holders;

    function setIncome(address reserve, uint256 income, address aToken) external {
        (incomes[reserve], holders[reserve]) = (income, aToken);
    }

    function getReserveNormalizedIncome(address reserve) external view returns (uint256) {
        return incomes[reserve];
    }

    function getReserveData(address reserve) external view returns (ReserveData memory data) {
        data.aTokenAddress = holders[reserve];
    }
}
