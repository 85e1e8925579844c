// Drawing anew without losing the focus, and where it goes back to.

/** Give the focus to the table, or to the grid where that is shown. */
export function to_table() {
  const grid = document.body.classList.contains("as-grid") && document.querySelector("#twin [tabindex='0']");
  (grid || document.getElementById("table")).focus({ preventScroll: true });
}

/** Draw a panel anew; what had the focus has it again, or what stands in its place. */
export function refocused(host, draw) {
  const every = () => [...host.querySelectorAll("button, input, textarea, select, a, canvas[tabindex]")];
  const before = document.activeElement;
  const at = every().indexOf(before);
  const mark = at < 0 ? null : name_of(before);
  draw();
  if (at < 0) return;
  const now = every().filter((each) => !each.disabled);
  const after = (mark && now.find((each) => name_of(each) === mark)) ?? every()[at] ?? now.at(-1);
  after?.focus({ preventScroll: true });
  if (after?.tagName === "TEXTAREA" && before.tagName === "TEXTAREA") after.setSelectionRange(before.selectionStart, before.selectionEnd);
}

function name_of(element) {
  const { id, dataset } = element;
  return id || Object.entries(dataset).map(([key, value]) => `${key}=${value}`).join() || null;
}
