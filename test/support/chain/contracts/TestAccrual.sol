// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// An index, 27 decimals, that grows or shrinks by the second at a rate, 18 decimals, as it was last set.
abstract contract TestAccrual {
    uint256 private base = 1e27;
    int256 private rate;
    uint256 private since = block.timestamp;

    function setRate(int256 ratePerSecond) external {
        (base, rate, since) = (index(), ratePerSecond, block.timestamp);
    }

    function index() public view returns (uint256) {
        int256 passed = int256(block.timestamp - since);
        return uint256(int256(base) + int256(base) * rate * passed / 1e18);
    }

    /// Shares of an amount that enters, and of one that leaves.
    function sharesOf(uint256 amount) internal view returns (uint256) {
        return amount * 1e27 / index();
    }

    function sharesFor(uint256 amount) internal view returns (uint256) {
        return (amount * 1e27 + index() - 1) / index();
    }
}
