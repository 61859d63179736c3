// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// OpenZeppelin's ERC-4626; `offset` of 12 makes shares of 18 decimals over an asset of 6.
contract TestVault is ERC4626 {
    uint8 private immutable offset;
    uint256 private liquidity = type(uint256).max;

    constructor(IERC20 asset_, uint8 offset_) ERC20("Test Vault", "tVLT") ERC4626(asset_) {
        offset = offset_;
    }

    function setLiquidity(uint256 amount) external {
        liquidity = amount;
    }

    function maxWithdraw(address owner) public view override returns (uint256) {
        uint256 own = super.maxWithdraw(owner);
        return own < liquidity ? own : liquidity;
    }

    function _decimalsOffset() internal view override returns (uint8) {
        return offset;
    }
}
