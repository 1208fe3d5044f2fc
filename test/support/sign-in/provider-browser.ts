/** The browser of somebody at a provider: follows redirects there, and keeps its cookies. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>();

  /** Follows redirects from a provider's page until one leads elsewhere, which is returned. */
  async leave(start: string): Promise<URL> {
    const { origin } = new URL(start);
    let at = new URL(start);
    for (let steps = 0; steps < 20; steps++) {
      const answer = await this.get(at);
      const location = answer.headers.get("location");
      if (location === null) {
        throw new Error(`${at.pathname} answers ${answer.status}: ${await answer.text()}`);
      }
      await answer.body?.cancel();
      at = new URL(location, at);
      if (at.origin !== origin) return at;
    }
    throw new Error("the provider redirects for ever");
  }

  async get(url: URL): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { redirect: "manual", headers: cookie ? { cookie } : {} });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
}
