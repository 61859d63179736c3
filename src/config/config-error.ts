/** Invalid configuration. The message lists every problem in a line each: the key, its value (never a secret) and what is allowed. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}
