// Which page is shown: the address says it, and the address is all there is to say.

export interface Route {
  page: string; // the first part of the path; empty for the hall
  id: string; // the second
  hash: string; // behind the #: a secret that never leaves the browser
}

function read(): Route {
  const [page = "", id = ""] = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  return { page, id, hash: location.hash.slice(1) };
}

class Router {
  route: Route = $state.raw(read());

  constructor() {
    addEventListener("popstate", () => (this.route = read()));
    addEventListener("hashchange", () => (this.route = read()));
    document.addEventListener("click", (click) => this.follow(click));
  }

  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.route = read();
    scrollTo(0, 0);
  }

  /** Links inside the hall change the page without loading it anew. */
  private follow(click: MouseEvent): void {
    if (click.defaultPrevented || click.button !== 0 || click.metaKey || click.ctrlKey || click.shiftKey) return;
    const link = (click.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (/^\/(api|docs)(\/|$)/.test(link.pathname) || link.dataset.plain !== undefined) return;
    if (link.pathname === location.pathname && link.hash) return;
    click.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();
