/** What a client knows when its resume is answered. `undefined`: not recorded. */
export interface Attempt {
  family: string;
  session: string;
  lastId: string;
  status: number;
  methodUnknown: boolean;
  responseSession: string | null | undefined;
  firstId: string | null | undefined;
  /** Ids that the stream delivered before, in order. */
  delivered: readonly string[];
  /** Ids that other streams of the session delivered. */
  other: readonly string[];
  /** Ids that other sessions delivered. */
  strangers: readonly string[];
}

interface Shape {
  stream: string | null;
  session: string | null;
  order: number | null;
  /** Ids of a stream follow one another without holes. */
  contiguous: boolean;
}

/** Takes an id apart by the table of families. */
function shapeOf(family: string, id: string): Shape {
  const plain = { stream: null, session: null, order: null, contiguous: false };
  if (family === 'go') {
    const at = id.lastIndexOf('_');
    return { ...plain, stream: id.slice(0, at), order: Number(id.slice(at + 1)), contiguous: true };
  }
  if (family === 'rmcp') {
    const [order, stream] = id.split('/');
    return { ...plain, stream: stream ?? '', order: Number(order), contiguous: true };
  }
  if (family === 'csharp') {
    const [session, stream, order] = id.split(':');
    return {
      ...plain,
      session: Buffer.from(session ?? '', 'base64').toString(),
      stream: stream ?? '',
      order: Number(order),
    };
  }
  if (family === 'typescript') {
    const parts = id.split('_');
    return { ...plain, stream: parts.slice(0, -2).join('_'), order: Number(parts.at(-2)) };
  }
  if (family === 'counter') return { ...plain, order: Number(/\d+$/.exec(id)?.[0]) };
  return plain;
}

/** The table "Verdict of a resume", read from top to bottom. */
export function verdictOf(attempt: Attempt): string {
  const { lastId, firstId, responseSession, status } = attempt;
  if (status === 404) return attempt.methodUnknown ? 'refused' : 'session-gone';
  if (status < 200 || status > 299) return 'refused';
  if (responseSession === undefined) return 'unobserved';
  if (responseSession === null) return 'unacknowledged';
  if (responseSession !== attempt.session) return 'epoch-merge';
  if (firstId === undefined) return 'unobserved';
  if (firstId === null) return 'unproven';
  if (firstId === lastId) return 'replayed-last';
  const [last, first] = [shapeOf(attempt.family, lastId), shapeOf(attempt.family, firstId)];
  const repeats = ['counter', 'rmcp'].includes(attempt.family) || first.stream === '';
  const elsewhere = attempt.other.includes(firstId) || (!repeats && attempt.strangers.includes(firstId));
  const otherStream = first.stream !== null && first.stream !== last.stream;
  if ((first.session !== null && first.session !== attempt.session) || otherStream) return 'foreign';
  if (elsewhere && !attempt.delivered.includes(firstId)) return 'foreign';
  if (attempt.delivered.includes(firstId)) return 'replayed-earlier';
  if (first.order === null || last.order === null || first.order <= last.order) return 'unorderable';
  if (first.contiguous && first.order > last.order + 1) return 'gap';
  return 'resumed';
}
