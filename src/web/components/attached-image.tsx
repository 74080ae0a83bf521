import { assets } from '../page-model/assets.ts';
import { useOptionalVisit } from './context.ts';

interface AttachedImageProps {
  attachment: number;
  alt: string;
  /** False inside a link. */
  hasLink?: boolean;
}

/**
 * Shows an image among the task's attachments. If it was removed, or belongs to another task, and on public pages, only
 * its alternative text is shown.
 */
export function AttachedImage({ attachment, alt, hasLink = true }: AttachedImageProps) {
  const { filesUrl = null, images } = useOptionalVisit()?.references ?? {};
  if (filesUrl === null || !images?.has(attachment))
    return (
      <span class="missing-image">
        {alt.trim() === '' ? 'Image not available' : `${alt} (not available)`}
      </span>
    );
  const address = `${filesUrl}/${attachment}`;
  const image = <img src={address} alt={alt} loading="lazy" decoding="async" />;
  if (!hasLink) return image;
  return (
    <a class="image" href={address} data-image={assets.imageViewer} data-no-prefetch>
      {image}
    </a>
  );
}
