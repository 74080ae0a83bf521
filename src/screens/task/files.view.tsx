import type { Attachment } from '../../attachments/attachments.schema.ts';
import { useVisit } from '../../web/components/context.ts';
import { Form } from '../../web/components/form.tsx';
import { Icon } from '../../web/components/icon.tsx';
import { Ago } from '../../web/components/time.tsx';
import type { Task } from './task.view.tsx';

const UNITS = ['B', 'KB', 'MB', 'GB'];

export function Files({ task, files }: { task: Task; files: readonly Attachment[] }) {
  const { base, caller } = useVisit();
  if (files.length === 0) return null;
  return (
    <section class="section" aria-labelledby="files-name">
      <h2 id="files-name">
        Files <span class="number">{files.length}</span>
      </h2>
      <ul class="rows panel">
        {files.map((file) => (
          <li>
            <Icon name="paperclip" />
            <a class="row-name" href={`${base}/tasks/${task.id}/files/${file.id}`} data-no-prefetch>
              {file.fileName}
            </a>
            <span class="row-fact number">{size(file.fileSize)}</span>
            <span class="row-fact wide-only">
              {file.uploadedBy.name}, <Ago at={file.createdAt} />
            </span>
            {!task.isArchived && file.uploadedBy.id === caller.userId ? (
              <Form action={`${base}/tasks/${task.id}/files/${file.id}/remove`}>
                <button type="submit" class="quiet" aria-label={`Remove ${file.fileName}`}>
                  <Icon name="trash-2" />
                </button>
              </Form>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function size(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const amount = bytes / 1024 ** step;
  return `${amount < 10 && step > 0 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[step]}`;
}
