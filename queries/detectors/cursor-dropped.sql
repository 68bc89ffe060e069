-- ---
-- id: cursor-dropped
-- title: A client opened a stream without the cursor it held
-- explanation: "A {stream} stream of session {session} had delivered event ids and ended early; the client then opened a GET without Last-Event-ID."
-- severity: medium
-- era: sessions
-- needs: [request-headers, events]
-- key: [session, stream_request]
-- remedy: Client - resume an interrupted stream with GET and Last-Event-ID; without it the server cannot send what was missed.
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"]
-- ---
select session, at_ns, until_ns, severity, 'definite' as confidence,
  cast(stream_request as varchar) || ',' || cast(get_request as varchar) as exchanges, stream_request, get_request, stream
from dropped_cursor
