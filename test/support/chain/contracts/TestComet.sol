// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What of Compound v3's market is read: its indexes as they were last accrued (15 decimals), and the rate since then (18 decimals a second).
contract TestComet {
    struct TotalsBasic {
        uint64 baseSupplyIndex;
        uint64 baseBorrowIndex;
        uint64 trackingSupplyIndex;
        uint64 trackingBorrowIndex;
        uint104 totalSupplyBase;
        uint104 totalBorrowBase;
        uint40 lastAccrualTime;
        uint8 pauseFlags;
    }

    address public immutable baseToken;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    uint64 private baseSupplyIndex = 1e15;
    uint64 private rate;
    uint40 private lastAccrualTime = uint40(block.timestamp);

    constructor(address baseToken_) {
        baseToken = baseToken_;
    }

    function set(uint64 index, uint64 ratePerSecond) external {
        (baseSupplyIndex, rate, lastAccrualTime) = (index, ratePerSecond, uint40(block.timestamp));
    }

    function setBalance(address account, uint256 balance) external {
        balanceOf[account] = balance;
    }

    function setSupply(uint256 supply) external {
        totalSupply = supply;
    }

    function totalsBasic() external view returns (TotalsBasic memory totals) {
        totals.baseSupplyIndex = baseSupplyIndex;
        totals.lastAccrualTime = lastAccrualTime;
    }

    function getUtilization() external pure returns (uint256) {
        return 8e17;
    }

    function getSupplyRate(uint256) external view returns (uint64) {
        return rate;
    }
}
