// Shows the findings that match, opens the one that a link leads to, and all of
// them for printing. Without it everything can be read.
(function () {
  'use strict';
  const form = document.getElementById('filter');
  const findings = Array.from(document.querySelectorAll('details.finding'));

  function reveal() {
    const id = decodeURIComponent(location.hash.slice(1));
    const body = id && document.getElementById(id);
    const finding = body && body.closest('details.finding');
    if (!finding)
      return;
    finding.hidden = false;
    finding.open = true;
    finding.scrollIntoView();
  }
  window.addEventListener('hashchange', reveal);
  reveal();

  window.addEventListener('beforeprint', function () {
    for (const part of document.querySelectorAll('details'))
      part.open = true;
  });

  if (!form)
    return;
  const text = document.getElementById('text');
  const kind = document.getElementById('kind');
  const kernel = document.getElementById('kernel');
  const shown = document.getElementById('shown');

  function apply() {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const finding of findings) {
      const content = finding.textContent.toLowerCase();
      finding.hidden =
          (kind.value && finding.dataset.kind !== kind.value) ||
          (kernel.value && finding.dataset.kernel !== kernel.value) ||
          !words.every(function (word) { return content.includes(word); });
      count += finding.hidden ? 0 : 1;
    }
    shown.textContent = count + ' of ' + findings.length + ' shown';
  }
  form.addEventListener('input', apply);
  form.addEventListener('submit', function (event) { event.preventDefault(); });
  form.hidden = false;
  apply();
})();
