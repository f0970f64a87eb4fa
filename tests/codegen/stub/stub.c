/* stub.c - see the ltt-probe.h beside it. All facilities are on from their registration. */
#define _GNU_SOURCE
#include <ltt/ltt-probe.h>

#include <stdio.h>
#include <stdlib.h>

/* As much as a block of the test holds. */
#define ROOM_BYTES (1 << 20)

static struct ltt_probe_facility *facilities;

void ltt_probe_register(struct ltt_probe_facility *facility)
{
	if (facility->registered)
		return;
	facility->registered = 1;
	facility->on = 1;
	facility->next = facilities;
	facilities = facility;
}

void ltt_probe_unregister(struct ltt_probe_facility *facility)
{
	facility->on = 0;
}

int ltt_probe_start(const char *dir, const struct ltt_probe_options *options)
{
	(void)options;
	return dir == NULL;
}

void ltt_probe_stop(void)
{
}

unsigned int stub_count_facilities(void)
{
	unsigned int count = 0;

	for (struct ltt_probe_facility *at = facilities; at != NULL; at = at->next)
		count++;
	return count;
}

static void print_event(const struct ltt_probe_facility *facility, uint32_t index, uint64_t size,
			const void *bytes)
{
	const unsigned char *at = bytes;

	printf("%s %u ", facility->name, (unsigned int)index);
	for (uint64_t i = 0; i < size; i++)
		printf("%02x", at[i]);
	printf("\n");
}

void ltt_probe_write(struct ltt_probe_facility *facility, uint32_t index, uint64_t size,
		     const uint64_t *words)
{
	print_event(facility, index, size, words);
}

void ltt_probe_stage_open(struct ltt_probe_stage *stage)
{
	memset(stage, 0x5a, sizeof(*stage));
	stage->at = stage->start = stage->bytes;
	stage->end = stage->bytes + sizeof(stage->bytes);
	stage->too_small = 0;
	stage->refused = 0;
}

void ltt_probe_stage_put(struct ltt_probe_stage *stage, const void *bytes, size_t size)
{
	if (size > (size_t)(stage->end - stage->at)) {
		stage->too_small = 1;
	} else if (size != 0) {
		memcpy(stage->at, bytes, size);
		stage->at += size;
	}
}

void ltt_probe_stage_items(struct ltt_probe_stage *stage, const void *items, size_t count,
			   size_t item_size)
{
	if (count > (size_t)(stage->end - stage->at) / item_size)
		stage->too_small = 1;
	else
		ltt_probe_stage_put(stage, items, count * item_size);
}

void ltt_probe_stage_text(struct ltt_probe_stage *stage, const char *text, size_t length)
{
	length = text != NULL ? strnlen(text, length) : 0;
	ltt_probe_stage_put(stage, text, length);
	ltt_probe_stage_put(stage, "", 1);
}

void ltt_probe_stage_string(struct ltt_probe_stage *stage, const char *text)
{
	ltt_probe_stage_text(stage, text, SIZE_MAX);
}

void ltt_probe_stage_refuse(struct ltt_probe_stage *stage)
{
	stage->refused = 1;
}

int ltt_probe_stage_again(struct ltt_probe_stage *stage)
{
	if (!stage->too_small || stage->refused || stage->start != stage->bytes)
		return 0;
	stage->start = malloc(ROOM_BYTES);
	stage->at = stage->start;
	stage->end = stage->start + ROOM_BYTES;
	stage->too_small = 0;
	return stage->start != NULL;
}

void ltt_probe_stage_write(struct ltt_probe_stage *stage, struct ltt_probe_facility *facility,
			   uint32_t index)
{
	if (stage->too_small || stage->refused)
		printf("%s %u lost\n", facility->name, (unsigned int)index);
	else
		print_event(facility, index, (uint64_t)(stage->at - stage->start), stage->start);
	if (stage->start != stage->bytes)
		free(stage->start);
}

static void add_part(struct ltt_probe_parts *parts, const void *bytes, size_t size, int is_text)
{
	const struct ltt_probe_part part = {bytes, size, is_text};

	if (parts->n == LTT_MAX_PROBE_PARTS)
		abort();
	parts->part[parts->n++] = part;
}

void ltt_probe_parts_open(struct ltt_probe_parts *parts)
{
	memset(parts, 0x5a, sizeof(*parts));
	parts->n = 0;
	parts->refused = 0;
}

void ltt_probe_parts_put(struct ltt_probe_parts *parts, const void *bytes, size_t size)
{
	add_part(parts, bytes, size, 0);
}

void ltt_probe_parts_items(struct ltt_probe_parts *parts, const void *items, size_t count,
			   size_t item_size)
{
	add_part(parts, items, count > ROOM_BYTES ? ROOM_BYTES + 1 : count * item_size, 0);
}

void ltt_probe_parts_text(struct ltt_probe_parts *parts, const char *text, size_t length)
{
	add_part(parts, text, length, 1);
}

void ltt_probe_parts_string(struct ltt_probe_parts *parts, const char *text)
{
	add_part(parts, text, SIZE_MAX, 1);
}

void ltt_probe_parts_refuse(struct ltt_probe_parts *parts)
{
	parts->refused = 1;
}

/* What the parts point to is read only now, as the probe does it. */
void ltt_probe_parts_write(struct ltt_probe_parts *parts, struct ltt_probe_facility *facility,
			   uint32_t index)
{
	struct ltt_probe_stage stage;

	ltt_probe_stage_open(&stage);
	stage.refused = parts->refused;
	do {
		for (uint32_t i = 0; i < parts->n; i++) {
			const struct ltt_probe_part *part = &parts->part[i];

			if (part->is_text)
				ltt_probe_stage_text(&stage, part->bytes, part->size);
			else
				ltt_probe_stage_put(&stage, part->bytes, part->size);
		}
	} while (ltt_probe_stage_again(&stage));
	ltt_probe_stage_write(&stage, facility, index);
}
