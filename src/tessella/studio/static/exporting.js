// Exports: a line for each in its menu; what cannot be exported is told in a sentence.

import { fetched } from "./api.js";
import { known, make, t } from "./i18n.js";

/** What an export is called; one that was added without a text by its own name. */
function called(name) {
  return known(`export_${name}`) ? t(`export_${name}`) : name.toUpperCase();
}

/** Give a file to the person, as a download. */
function hand_over(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export class Exporting {
  constructor(names, store, tell) {
    Object.assign(this, { names, store, tell });
    this.host = document.getElementById("exports");
    this.draw();
  }

  draw() {
    const written = document.getElementById("base-url")?.value ?? "";
    const items = this.names.map((name) => make("button", { type: "button", id: `export-${name}`, onclick: () => this.write(name) }, called(name)));
    const address = make("input", { id: "base-url", type: "url", maxlength: "500", placeholder: "https://" });
    address.value = written;
    this.host.replaceChildren(...items, make("label", { for: "base-url" }, t("base_url")), address);
  }

  async write(name) {
    this.tell(t("exporting", { name: called(name) }));
    const address = document.getElementById("base-url").value.trim();
    const more = name === "iiif" && address ? `&base_url=${encodeURIComponent(address)}` : "";
    try {
      const answer = await fetched(`${this.store.path}/export?as=${name}${more}`);
      const file = decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(answer.headers.get("content-disposition"))[1]);
      hand_over(await answer.blob(), file);
      this.tell(t("exported", { file }));
    } catch (problem) {
      this.tell(problem.message, true);
    }
  }
}
