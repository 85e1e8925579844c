// Light or dark: as the system says, until a person chooses.

export function theme(button) {
  const root = document.documentElement;
  const dark = () => root.dataset.theme === "dark";
  const set = (name) => {
    root.dataset.theme = name;
    button.setAttribute("aria-pressed", String(name === "dark"));
    document.dispatchEvent(new CustomEvent("themed"));
  };
  set(localStorage.getItem("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  button.addEventListener("click", () => {
    set(dark() ? "light" : "dark");
    localStorage.setItem("theme", root.dataset.theme);
  });
}
