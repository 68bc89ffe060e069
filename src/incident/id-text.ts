/** How ids that are live credentials are printed. */
export interface IdText {
  session(tag: string): string;
  /** Some servers put the session id into their event ids. */
  eventId(eventId: string): string;
}
