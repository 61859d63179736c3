/** Start that cannot succeed; the message is a sentence that ends in what the reader can do about it. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';

  constructor(sentence: string, options: { cause?: unknown; log?: string } = {}) {
    super(
      options.log ? `${sentence}\n${options.log}` : sentence,
      options.cause ? { cause: options.cause } : {},
    );
  }
}

export const OWN_SERVER = 'set DATABASE_URL to use a PostgreSQL server of your own';

/** Not `instanceof`: under a test runner, errors of Node's own modules belong to another realm. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Turns file system errors into a sentence about `folder`; any other error passes through. */
export function folderError(folder: string, error: unknown): unknown {
  const reasons: Record<string, string> = {
    ENOENT: 'it cannot be created there, or was taken away',
    EACCES: 'this account may not write there',
    EPERM: 'this account may not write there',
    EROFS: 'it is on a read-only file system',
    ENOTDIR: 'a part of its path is a file',
    EEXIST: 'a file has that name',
    ENOTEMPTY: 'something else lies there',
    EISDIR: 'a folder stands where a file is expected',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    ENAMETOOLONG: 'its path is too long',
  };
  const reason = reasons[errorCode(error) ?? ''];
  if (!reason) return error;
  return new EmbeddedServerError(
    `The embedded PostgreSQL cannot use the folder ${folder}: ${reason}. Choose another data folder, or ${OWN_SERVER}.`,
    { cause: error },
  );
}
