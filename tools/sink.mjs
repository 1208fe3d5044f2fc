// Receives notifications while you try the product: a chat webhook, a generic webhook and a mailbox that
// print one line for each message. `GET /?wait=3` answers with the lines once there are three.
import { createServer } from "node:http";
import process from "node:process";
import { parseArgs } from "node:util";
import { SMTPServer } from "smtp-server";

const maxBytes = 4 * 1024 * 1024;
const maxLines = 1_000;
const longestWaitMs = 30_000;

/** Received lines, newest last; waiting requests are told of each. */
const lines = [];
const waiting = new Set();

function arrived(channel, text) {
  const line = `${channel.padEnd(7)} ${text.replace(/\s+/g, " ").trim()}`;
  console.log(line);
  lines.push(line);
  if (lines.length > maxLines) lines.shift();
  for (const wake of waiting) wake();
}

/** Resolves with all lines once there are at least `count`, or when time is up. */
function collected(count) {
  return new Promise((answer) => {
    const poll = () => {
      if (lines.length < count) return;
      finish();
    };
    const finish = () => {
      clearTimeout(timer);
      waiting.delete(poll);
      answer([...lines].sort().join("\n") + "\n");
    };
    const timer = setTimeout(finish, longestWaitMs);
    waiting.add(poll);
    poll();
  });
}

async function body(stream) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) throw new Error("too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const describe = {
  "/chat": (text) => JSON.parse(text).blocks[0].text.text,
  "/webhook": (text) => {
    const { event_type, alert_type, data_entity, alert_chunks } = JSON.parse(text);
    const said = alert_chunks.map((chunk) => chunk.description).join("; ");
    return `${event_type} ${alert_type} on ${data_entity?.name ?? "an unknown entity"}: ${said}`;
  },
};

const http = createServer(async (request, response) => {
  const url = new URL(request.url, "http://sink");
  const description = describe[url.pathname];
  if (request.method === "GET" && url.pathname === "/") {
    response.end(await collected(Number(url.searchParams.get("wait") ?? 0)));
    return;
  }
  if (request.method !== "POST" || !description) {
    response.writeHead(404).end("POST /chat, POST /webhook, GET /\n");
    return;
  }
  try {
    arrived(url.pathname.slice(1), description(await body(request)));
    response.end("ok");
  } catch (error) {
    response.writeHead(400).end(`${error.message}\n`);
  }
});

/** Where a mail leads to, so that it can be opened from here. */
function linkIn(mail) {
  const text = mail.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  return /https?:\/\/[^\s"<>]+\/dataentities\/\d+\/[^\s"<>]*/.exec(text)?.[0];
}

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  size: maxBytes,
  logger: false,
  async onData(stream, session, done) {
    try {
      const text = await body(stream);
      const subject = /^subject: (.*)$/im.exec(text)?.[1] ?? "(no subject)";
      for (const { address } of session.envelope.rcptTo) arrived("mail", `${address}: ${subject}`);
      const link = linkIn(text);
      if (link) console.log(`        ${link}`);
      done();
    } catch (error) {
      done(error);
    }
  },
});

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "9099" },
    "smtp-port": { type: "string", default: "2525" },
  },
});
const listening = (server, option) =>
  new Promise((ready, fail) => {
    server.on("error", fail);
    const port = Number(values[option]);
    const node = server.listen(port, "127.0.0.1", () => ready(node.address().port));
  }).catch((error) => {
    console.error(`Cannot listen on port ${values[option]}: ${error.message}; try --${option}`);
    process.exit(1);
  });
const httpPort = await listening(http, "port");
const smtpPort = await listening(smtp, "smtp-port");
console.log(`chat    http://127.0.0.1:${httpPort}/chat`);
console.log(`webhook http://127.0.0.1:${httpPort}/webhook`);
console.log(`mail    127.0.0.1:${smtpPort}`);
