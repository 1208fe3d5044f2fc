// A mail server for tests, in a Node process of its own: its library's STARTTLS fails on the runtime
// of the product. Settings are the first argument; each event is a line of JSON on the output.
import { SMTPServer } from "smtp-server";

const { user, password, tls, starttls, secure, port, busyEvery } = JSON.parse(process.argv[2]);

const emit = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

/** The answer that a recipient asks for by name: `code-550@…`, at RCPT; `data-452@…`, after DATA. */
function rejectionFor(address, stage) {
  const code = new RegExp(`^${stage}-(\\d{3})[@-]`).exec(address)?.[1];
  return code ? Object.assign(new Error("hunter2 says no"), { responseCode: Number(code) }) : null;
}

let recipients = 0;
/** Not now, said to every so many recipients. */
const busy = () =>
  busyEvery && ++recipients % busyEvery === 0
    ? Object.assign(new Error("hunter2 is busy"), { responseCode: 450 })
    : null;

const server = new SMTPServer({
  logger: false,
  secure,
  ...(tls ? { key: tls.key, cert: tls.cert } : {}),
  disabledCommands: [...(starttls ? [] : ["STARTTLS"]), ...(user ? [] : ["AUTH"])],
  authOptional: !user,
  allowInsecureAuth: true,
  onConnect(_session, done) {
    emit({ kind: "connection" });
    done();
  },
  onAuth(auth, _session, done) {
    const right = auth.username === user && auth.password === password;
    done(right ? null : new Error("hunter2 is wrong"), right ? { user } : undefined);
  },
  onRcptTo({ address }, _session, done) {
    done(rejectionFor(address, "code") ?? busy());
  },
  async onData(stream, session, done) {
    const chunks = [];
    try {
      for await (const chunk of stream) chunks.push(chunk);
    } catch {
      // The client was killed amid its message.
      return done(new Error("the message is not whole"));
    }
    const to = session.envelope.rcptTo.map(({ address }) => address);
    const refusal = to.map((address) => rejectionFor(address, "data")).find(Boolean);
    if (refusal) return done(refusal);
    emit({
      kind: "message",
      from: session.envelope.mailFrom.address,
      to,
      user: session.user ?? null,
      secure: session.secure,
      raw: Buffer.concat(chunks).toString("utf8"),
    });
    done();
  },
});
server.on("error", () => {});
server.listen(
  port ?? 0,
  "127.0.0.1",
  () => emit({ kind: "ready", port: server.server.address().port }),
);
// It ends with the test that started it.
process.stdin.on("end", () => process.exit()).resume();
