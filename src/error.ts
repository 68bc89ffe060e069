/** Every way in which a run can fail that a person can do something about. */
export const ERROR_CODES = [
  'usage',
  'input-unreadable',
  'input-unknown-format',
  'input-limit',
  'no-mcp-traffic',
  'store-locked',
  'store-broken',
  'store-version',
  'query-refused',
  'query-failed',
  'detector-invalid',
  'detector-failed',
  'output-failed',
  'endpoint-refused',
  'config-invalid',
  'interrupted',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * An error whose cause is known. `message` names file and place, `hint` says what to do about it.
 * The command line prints it as one line; anything else that is thrown is a fault of the program and keeps its stack.
 */
export class PostmortemError extends Error {
  override readonly name = 'PostmortemError';
  readonly code: ErrorCode;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }
}
