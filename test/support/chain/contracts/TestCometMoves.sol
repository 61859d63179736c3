// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// What of Compound v3's market moves funds: it pays out whatever it holds, and logs as the market does.
contract TestCometMoves {
    event Supply(address indexed from, address indexed dst, uint256 amount);
    event Withdraw(address indexed src, address indexed to, uint256 amount);

    function supply(address asset, uint256 amount) public virtual {
        IERC20(asset).transferFrom(msg.sender, address(this), amount);
        emit Supply(msg.sender, msg.sender, amount);
    }

    function withdraw(address asset, uint256 amount) public virtual {
        IERC20(asset).transfer(msg.sender, amount);
        emit Withdraw(msg.sender, msg.sender, amount);
    }
}
