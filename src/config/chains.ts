/** Readable chains with their ids (https://chainlist.org); the setting of each is `RPC_URL_` and its name. */
export const CHAIN_IDS = { ethereum: 1, arbitrum: 42161, base: 8453, plasma: 9745 } as const;

export type ReadableChain = keyof typeof CHAIN_IDS;
export const READABLE_CHAINS = Object.keys(CHAIN_IDS) as ReadableChain[];
