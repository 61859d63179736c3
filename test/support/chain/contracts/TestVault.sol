// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// OpenZeppelin's ERC-4626; `offset` of 12 makes shares of 18 decimals over an asset of 6.
contract TestVault is ERC4626 {
    uint8 private immutable offset;

    constructor(IERC20 asset_, uint8 offset_) ERC20("Test Vault", "tVLT") ERC4626(asset_) {
        offset = offset_;
    }

    function _decimalsOffset() internal view override returns (uint8) {
        return offset;
    }
}
