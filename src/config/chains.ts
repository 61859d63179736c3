/** Chains that can be read, and the id that each has (https://chainlist.org); the setting of one is `RPC_URL_` and its name. */
export const CHAIN_IDS = { ethereum: 1, arbitrum: 42161, base: 8453, plasma: 9745 } as const;

export type ReadableChain = keyof typeof CHAIN_IDS;
export const READABLE_CHAINS = Object.keys(CHAIN_IDS) as ReadableChain[];
