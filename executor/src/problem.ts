/** Stops the start: each line names a setting, its value unless it is secret, and what is allowed. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** The executor does not do this, whoever asks: an address, a vault or an amount is beyond its allowlist. */
export class NotAllowed extends Error {}

/** It cannot be done now: the chain or the signer may allow it later. */
export class NotNow extends Error {}

/** Why something cannot be done, however a library has wrapped it. undefined: the program is wrong, or the network fails. */
export function obstacleOf(error: unknown): NotAllowed | NotNow | undefined {
  if (error instanceof NotAllowed || error instanceof NotNow) return error;
  return error instanceof Error ? obstacleOf(error.cause) : undefined;
}

/** @throws any other error */
export function requireObstacle(error: unknown): NotAllowed | NotNow {
  const obstacle = obstacleOf(error);
  if (!obstacle) throw error;
  return obstacle;
}

/** What an error says, on one line and without the URLs in it, which hold keys. */
export function textOf(error: unknown): string {
  const cause = obstacleOf(error) ?? error;
  const said = cause instanceof Error ? cause.message : String(cause);
  // Of a refusal by the server.
  const { status, code } = Object(cause) as { status?: unknown; code?: unknown };
  const text = typeof status === 'number' && typeof code === 'string' ? `${status} ${code}: ${said}` : said;
  return text
    .split('\n')[0]!
    .replace(/\b\w+:\/\/\S+/g, '[url]')
    .slice(0, 300);
}
