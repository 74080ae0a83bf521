import type { Attachment } from '../../../files/attachments/attachments.schema.ts';
import { getReach } from '../../../kernel/access/capabilities.ts';
import { imageTypes } from '../../../kernel/rich-text/attachment-images.ts';
import { formatNumber } from '../../../kernel/text/number-format.ts';
import { useVisit } from '../../components/context.ts';
import { Alert } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { assets } from '../../page-model/assets.ts';
import { formatBytes } from './format-bytes.ts';
import { SMALL_FILE_BYTES_MAX } from './small-file-size.ts';

interface FilesSectionProps {
  parentUrl: string;
  target: { readonly taskId: number } | { readonly projectId: number };
  files: readonly Attachment[];
  total: number;
  isClosed?: boolean;
  isLead?: boolean;
}

export function FilesSection({
  parentUrl,
  target,
  files,
  total,
  isClosed = false,
  isLead = false,
}: FilesSectionProps) {
  const { caller } = useVisit();
  const mayRemoveAll = isLead || getReach(caller, 'removeFiles') === 'all';
  if (isClosed && files.length === 0) return null;
  return (
    <section class="section files" aria-labelledby="files-name" data-drop={isClosed ? undefined : 'files'}>
      <h2 id="files-name">Files {total > 0 ? <span class="number">{formatNumber(total)}</span> : null}</h2>
      {isClosed ? null : <UploadForm parentUrl={parentUrl} target={target} />}
      {files.length > 0 ? (
        <ul class="rows panel">
          {files.map((file) => (
            <FileRow
              parentUrl={parentUrl}
              target={target}
              file={file}
              mayRemove={!isClosed && (mayRemoveAll || file.uploadedBy.id === caller.userId)}
            />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

interface FileRowProps extends Pick<FilesSectionProps, 'parentUrl' | 'target'> {
  file: Attachment;
  mayRemove: boolean;
}

function FileRow({ parentUrl, target, file, mayRemove }: FileRowProps) {
  const { caller } = useVisit();
  const mayImport = getReach(caller, 'importTasks') === 'all';
  return (
    <li id={`file-${file.id}`}>
      <FileLink file={file} address={`${parentUrl}/files/${file.id}`} />
      <span class="row-meta number">{formatBytes(file.fileSize)}</span>
      <span class="row-meta wide-only">
        {file.uploadedBy.name}, <RelativeTime at={file.createdAt} />
      </span>
      {'projectId' in target && mayImport && /\.(csv|tsv|json)$/i.test(file.fileName) ? (
        <Form action={`${parentUrl}/imports`} of={{ attachmentId: file.id }}>
          <button type="submit" class="plain">
            Import tasks
          </button>
        </Form>
      ) : null}
      {mayRemove ? (
        <Form
          action={`${parentUrl}/files/${file.id}/remove`}
          of={{ first: file.parentId ?? file.id, fileName: file.fileName }}
        >
          <button type="submit" class="quiet" aria-label={`Remove ${file.fileName}`} title="Remove">
            <Icon name="trash-2" />
          </button>
        </Form>
      ) : null}
    </li>
  );
}

/** Larger images have no thumbnail, because the thumbnail is the image itself. */
const THUMBNAIL_BYTES_MAX = 10 * 1024 * 1024;

/** With JavaScript, images open in a dialog (src/web/client/image-viewer.ts). */
function FileLink({ file, address }: { file: Attachment; address: string }) {
  const type = file.fileType.toLowerCase();
  const isImage = imageTypes.includes(type);
  return (
    <a
      class="row-name file-link"
      href={address}
      data-image={isImage ? assets.imageViewer : undefined}
      target={type === 'application/pdf' ? '_blank' : undefined}
      data-no-prefetch
    >
      {isImage && file.fileSize <= THUMBNAIL_BYTES_MAX ? (
        <img class="thumbnail" src={address} alt="" width="40" height="40" loading="lazy" decoding="async" />
      ) : (
        <Icon name="paperclip" />
      )}
      <bdi>{file.fileName}</bdi>
    </a>
  );
}

/** With JavaScript, files of any size can be uploaded (src/web/client/upload.ts). Without it, only small files can. */
function UploadForm({ parentUrl, target }: Pick<FilesSectionProps, 'parentUrl' | 'target'>) {
  const { base, browser, address, rejected } = useVisit();
  const action = `${parentUrl}/files`;
  return (
    <>
      <ul class="rows panel uploads" id="uploads" data-kept aria-label="Uploads" hidden />
      <form
        method="post"
        action={action}
        class="upload"
        enctype="multipart/form-data"
        data-uploads={`${base}/uploads`}
        data-target={new URLSearchParams(
          Object.entries(target).map(([name, id]) => [name, String(id)]),
        ).toString()}
      >
        {rejected?.action === action ? <Alert message={rejected.message ?? undefined} /> : null}
        <input type="hidden" name="csrf" value={browser.csrf} />
        <input type="hidden" name="once" value="0" />
        <input type="hidden" name="back" value={address} />
        <label class="button plain">
          <Icon name="paperclip" />
          <span>Add files</span>
          <input type="file" name="file" class="off-screen" multiple required />
        </label>
        <span class="hint scripted-only">or drop files here</span>
        <button type="submit" class="plain unscripted-only">
          Upload
        </button>
        <noscript>
          <span class="hint">Up to {formatBytes(SMALL_FILE_BYTES_MAX)}, one file at a time.</span>
        </noscript>
      </form>
    </>
  );
}
