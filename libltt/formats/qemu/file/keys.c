/* keys.c - which key a number in a log is.
 *
 * Keys are numbered as they stand in QEMU's list QKeyCode. Since 2.12 that has only been added to
 * at its end; before, two keys were taken out and others put in between. So an older number becomes
 * one of the list as it is now by stepping over what its release did not have.
 */
#include "formats/qemu/file/qemu-priv.h"

/* Where the lists differ: numbers in that of today. */
#define CTRL       5
#define HIRAGANA   122
#define MUHENKAN   125
#define KEYS       162
#define N_ALTGR    2 /* altgr and altgr_r stood in front of ctrl */
#define N_YEN      (MUHENKAN - HIRAGANA)
#define N_KATAKANA 2

guint32 ltt_qemu_find_qcode(const LttQemuRelease *release, guint64 number)
{
	if (ltt_qemu_has(release, LTT_QEMU_HAS_ALTGR) && number >= CTRL) {
		if (number < CTRL + N_ALTGR)
			return (guint32)(LTT_QEMU_QCODE_ALTGR + number - CTRL);
		number -= N_ALTGR;
	}
	if (!ltt_qemu_has(release, LTT_QEMU_HAS_YEN) && number >= HIRAGANA)
		number += N_YEN;
	if (!ltt_qemu_has(release, LTT_QEMU_HAS_KATAKANA) && number >= MUHENKAN)
		number += N_KATAKANA;
	return number < KEYS ? (guint32)number : LTT_QEMU_QCODE_UNKNOWN;
}
