// Menus of the header: one at a time; a click elsewhere or Esc closes it; none leaves the window.

export function menus() {
  const every = [...document.querySelectorAll("details.menu")];
  const close = (but = null) => { for (const menu of every) if (menu !== but) menu.open = false; };
  for (const menu of every) {
    menu.addEventListener("toggle", () => {
      if (!menu.open) return;
      close(menu);
      const held = menu.querySelector(".sheet-of-settings");
      held.classList.remove("leftwards");
      held.classList.toggle("leftwards", held.getBoundingClientRect().right > innerWidth);
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary").focus();
      event.stopPropagation();
    });
  }
  document.addEventListener("pointerdown", (event) => close(event.target.closest("details.menu")), true);
}
