// A story as prose, its drawings as they were drawn.

import type { Story } from "./story";
import { Words } from "./words";

export function StoryView({ story }: { story: Story }) {
  return <>{story.parts.map((part, place) => (part.kind === "drawing" ? <pre key={place} class="drawing">{part.text}</pre> : <p key={place}><Words text={part.text} /></p>))}</>;
}
