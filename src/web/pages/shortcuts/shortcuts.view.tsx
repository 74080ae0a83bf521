import { shortcutGroups } from './shortcut-groups.ts';

export function ShortcutsView() {
  return (
    <>
      <header class="head">
        <h1>Keyboard shortcuts</h1>
      </header>
      <p class="note">On a Mac, use ⌘ for Ctrl and ⌥ for Alt.</p>
      <div class="shortcuts">
        {shortcutGroups.map(({ title, rows }) => (
          <section class="panel">
            <h2>{title}</h2>
            <dl>
              {rows.map(([keys, effect]) => (
                <div>
                  <dt>
                    {keys.map((key) => (
                      <kbd>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{effect}</dd>
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
            Enable single-key shortcuts such as <kbd>c</kbd> in this browser
          </span>
        </label>
      </p>
    </>
  );
}
