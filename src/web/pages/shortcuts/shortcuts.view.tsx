import { shortcutGroups } from './shortcut-groups.ts';

export function ShortcutsView() {
  return (
    <>
      <header class="head">
        <h1>Keyboard shortcuts</h1>
      </header>
      <p class="note">Tab and Enter reach everything; these are faster. On a Mac, Ctrl is ⌘ and Alt is ⌥.</p>
      <div class="shortcuts">
        {shortcutGroups.map(({ title, rows }) => (
          <section class="panel">
            <h2>{title}</h2>
            <dl>
              {rows.map(([keys, does]) => (
                <div>
                  <dt>
                    {keys.map((key) => (
                      <kbd>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="scripted-only">
        <label class="check">
          <input type="checkbox" id="single-keys" autocomplete="off" />
          <span>
            Single keys such as <kbd>c</kbd> work on every page, in this browser
          </span>
        </label>
      </p>
    </>
  );
}
