/*
 * One definition of a text that says something: a zero-width space is as empty as none, and a name that holds nothing else
 * would stand in lists as nobody's.
 */

/** Anything but white space, control and format characters, what Unicode calls ignorable, and the blank Braille cell. */
const VISIBLE = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]/u;
const TURNS_DIRECTION = /\p{Bidi_Control}/u;

/** Whether a person sees anything of a text. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);

/** Whether a text can turn the direction of what is written around it, and so look like another one. */
export const turnsDirection = (text: string): boolean => TURNS_DIRECTION.test(text);
