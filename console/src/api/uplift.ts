import { answered, api, asked, live } from './client.js';
import type { Environment, Schemas } from './contract.js';
import { environment } from './session.js';

export interface Baseline {
  name: string;
  /** What the baseline stands for. */
  remark: string;
  realized: Schemas['UpliftRealized'];
  projected: Schemas['UpliftProjected'];
}

export interface Uplift {
  as_of: string;
  from: string | null;
  positions: number;
  baselines: readonly Baseline[];
}

type Query = Partial<Record<'asset' | 'position_id' | 'user_id' | 'from' | 'to', string>>;

const LENDING = { name: 'Lending vault', remark: 'The same deposits, held in the asset’s lending vault' };
const HOLD = { name: 'First vault, held', remark: 'The same deposits, each held in its first vault' };

/** The uplift in one form for both contracts: the live one has one baseline, the sandbox two. */
const READ: Record<Environment, (query: Query, signal: AbortSignal) => Promise<Uplift>> = {
  live: async (query, signal) => {
    const { data } = await answered(
      live.GET('/analytics/uplift', { params: { query: asked(query) }, signal }),
    );
    return { ...data, baselines: [{ ...LENDING, ...data }] };
  },
  sandbox: async (query, signal) => {
    const { data } = await answered(
      api.GET('/analytics/uplift', { params: { query: asked(query) }, signal }),
    );
    const { lending, hold } = data.baselines;
    return {
      ...data,
      baselines: [
        { ...LENDING, ...lending },
        { ...HOLD, ...hold },
      ],
    };
  },
};

export const readUplift = (query: Query, signal: AbortSignal): Promise<Uplift> =>
  READ[environment()](query, signal);
