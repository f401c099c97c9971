/**
 * Marks the shown part of the documentation in the contents, which fold again when a part was chosen.
 */
export function markShownPart(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".contents a")];
  const [first] = links;
  if (!first) return;
  const mark = () => {
    const shown = document.querySelector(".part:has(:target)")?.getAttribute("aria-labelledby");
    const isAll = links.some(({ hash }) => hash === location.hash) && !shown;
    const hash = shown ? `#${shown}` : isAll ? location.hash : first.hash;
    for (const link of links) {
      if (link.hash !== hash) link.removeAttribute("aria-current");
      else {
        link.setAttribute("aria-current", "true");
        link.scrollIntoView({ block: "nearest" });
      }
    }
  };
  addEventListener("hashchange", () => {
    foldContents();
    mark();
  });
  mark();
  keepPartOnSkip();
}

/** The link past the navigation must not name another part in the address. */
function keepPartOnSkip(): void {
  const main = document.querySelector<HTMLElement>("main");
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    if (!main) return;
    event.preventDefault();
    main.tabIndex = -1;
    main.focus();
  });
}

/** Folds the contents in a narrow window, which moves everything below them. */
function foldContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>(".contents .fold");
  if (!contents?.open) return;
  contents.open = false;
  document.querySelector(":target")?.scrollIntoView();
}
