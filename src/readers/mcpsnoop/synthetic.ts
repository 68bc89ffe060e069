/** What a source that was made from calls cannot be used for. */
export const SYNTHETIC_WARNING =
  'mcpsnoop records calls, not HTTP: no headers, no event ids. Sessions, events and resumes cannot be judged from it.';
