/** The stylesheet of every page; contrast is AA in both schemes. */
export const style = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #10151c);
  --surface: light-dark(#ffffff, #18202a);
  --line: light-dark(#d5dae1, #334155);
  --text: light-dark(#17202b, #e6ebf1);
  --quiet: light-dark(#4a5563, #a7b3c2);
  --accent: light-dark(#0b5d57, #5fd3c4);
  --on-accent: light-dark(#ffffff, #06201d);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', sans-serif;
}
header, main { max-width: 44rem; margin: 0 auto; padding: 1rem; }
main { padding-bottom: 4rem; }
.brand { color: var(--text); font-weight: 700; letter-spacing: -0.01em; text-decoration: none; }
h1 { margin: 1.5rem 0 0.5rem; font-size: clamp(1.75rem, 6vw, 2.75rem); line-height: 1.15; letter-spacing: -0.02em; }
h2 { margin: 2.5rem 0 0.5rem; font-size: 1.125rem; }
p { margin: 0.75rem 0; }
.lead { color: var(--quiet); font-size: 1.125rem; }
.note { color: var(--quiet); font-size: 0.9375rem; }
a { color: var(--accent); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.5rem 0; }
.button, button {
  display: inline-block;
  padding: 0.65rem 1.15rem;
  border: 1px solid var(--accent);
  border-radius: 0.5rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 600;
  text-decoration: none;
  cursor: pointer;
}
.button.plain { background: transparent; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.card { margin: 1.5rem 0; padding: 1.25rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); }
pre {
  margin: 0.75rem 0;
  padding: 1rem;
  overflow-x: auto;
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--surface);
  font: 0.875rem/1.55 ui-monospace, 'Cascadia Code', Menlo, Consolas, monospace;
}
label { display: block; font-weight: 600; }
input {
  width: 100%;
  margin: 0.25rem 0 1rem;
  padding: 0.6rem 0.75rem;
  border: 1px solid var(--quiet);
  border-radius: 0.5rem;
  background: var(--ground);
  color: var(--text);
  font: inherit;
}
`;
