// What can be reached by the keyboard and says nothing to a screen reader.
[...document.querySelectorAll("button, input, select, textarea, a, summary, [tabindex='0']")]
  .filter((each) => each.checkVisibility() && !each.textContent.trim() && !each.getAttribute("aria-label")
    && !each.title && !each.labels?.length).map((each) => each.outerHTML.slice(0, 80))
