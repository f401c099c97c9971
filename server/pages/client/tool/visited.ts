/** The fields of a form that the user has been in, by the ids of their elements. */
export interface VisitedFields {
  readonly has: (id: string) => boolean;
  /** Counts all fields as visited, as on submit. */
  addAll(): void;
  /** Keeps up with the rows after a button has changed them. */
  follow(command: string): void;
  /** Remembers which fields are visited. The returned function brings that back. */
  capture(): () => void;
  /** Calls back when the user has left a field or a group for the first time. */
  onLeave(callback: () => void): void;
}

/** A longer press is not a click. */
const LONG_PRESS_MS = 700;

/** A field counts as visited when the focus has left it, a group when it has left for elsewhere. */
export function visitedFields(form: HTMLFormElement): VisitedFields {
  let visited = new Set<string>();
  let isAll = false;
  const callbacks: (() => void)[] = [];
  const whenReleased = followPointer();
  form.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (!(target instanceof HTMLElement)) return;
    const { size } = visited;
    for (const id of leftBy(target, relatedTarget)) visited.add(id);
    if (visited.size === size) return;
    for (const callback of callbacks) whenReleased(callback);
  });
  return {
    has: (id) => isAll || visited.has(id),
    addAll() {
      isAll = true;
    },
    follow(command) {
      if (command === "clear") {
        visited.clear();
        isAll = false;
      } else if (command.startsWith("remove ")) {
        visited = withoutRow(visited, command.slice("remove ".length));
      } else if (command.startsWith("add ")) isAll = false;
    },
    capture() {
      const [savedIds, savedAll] = [new Set(visited), isAll];
      return () => {
        visited = savedIds;
        isAll = savedAll;
      };
    },
    onLeave: (callback) => callbacks.push(callback),
  };
}

/**
 * Follows the pointer: a click that leaves a field is lost when a message moves its goal before the
 * button is released.
 *
 * @returns a function that calls back as soon as no button is pressed.
 */
function followPointer(): (callback: () => void) => void {
  let isPressed = false;
  const follow = ({ type }: Event) => {
    isPressed = type === "pointerdown";
  };
  for (const type of ["pointerdown", "pointerup", "pointercancel"]) {
    document.addEventListener(type, follow, { capture: true });
  }
  return (callback) => {
    if (!isPressed) {
      callback();
      return;
    }
    // The list of a `select` swallows the release, and so may a menu.
    const release = () => {
      clearTimeout(timer);
      document.removeEventListener("pointerup", release);
      callback();
    };
    const timer = setTimeout(release, LONG_PRESS_MS);
    document.addEventListener("pointerup", release);
  };
}

/** The control, and the groups around it that the focus leaves for another element. */
function leftBy(control: HTMLElement, next: EventTarget | null): readonly string[] {
  const ids = [control.id];
  if (!(next instanceof Element)) return ids;
  for (
    let group = control.parentElement;
    group && !group.contains(next);
    group = group.parentElement
  ) {
    ids.push(group.id);
  }
  return ids;
}

/** @param row the name of the removed row, `filters[1]`. */
function withoutRow(ids: ReadonlySet<string>, row: string): Set<string> {
  const [, list, number] = /^(.*)\[(\d+)\]$/.exec(row) ?? [];
  const removed = Number(number);
  return new Set(
    [...ids].flatMap((id) => {
      if (list === undefined || !id.startsWith(`${list}[`)) return [id];
      const rest = id.slice(list.length);
      const index = Number.parseInt(rest.slice(1), 10);
      if (index === removed) return [];
      return [index > removed ? `${list}${rest.replace(/\d+/, String(index - 1))}` : id];
    }),
  );
}
