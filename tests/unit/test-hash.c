/* Hashes of keys that somebody else chose: what collides in GLib does not collide here. */
#include "unit.h"

#include "base/hash-priv.h"

#define N_KEYS    4096
#define N_TURNS   12 /* log2(N_KEYS) */
#define N_SECRETS 64

static const LttHashSecret first_secret = {0x0123456789abcdef, 0x9e3779b97f4a7c15};

/* Any texts of these pairs have the same g_str_hash(). */
static void make_text(char *text, guint number)
{
	for (guint bit = 0; bit < N_TURNS; bit++)
		memcpy(text + (gsize)2 * bit, (number >> bit & 1) != 0 ? "Ez" : "FY", 2);
	text[2 * N_TURNS] = '\0';
}

static guint64 hash_text(const LttHashSecret *secret, guint number)
{
	char text[2 * N_TURNS + 1];

	make_text(text, number);
	return ltt_hash_bytes_by(secret, text, strlen(text));
}

static guint64 hash_high(const LttHashSecret *secret, guint number)
{
	return ltt_hash_number_by(secret, (guint64)number << 32);
}

static guint64 hash_float(const LttHashSecret *secret, guint number)
{
	const double value = number;
	guint64 bits;

	memcpy(&bits, &value, sizeof(bits));
	return ltt_hash_number_by(secret, bits);
}

static guint64 hash_low(const LttHashSecret *secret, guint number)
{
	return ltt_hash_number_by(secret, number);
}

/* Multiples of the inverse of the golden ratio, which a fixed factor maps to small numbers. */
static guint64 hash_inverse(const LttHashSecret *secret, guint number)
{
	return ltt_hash_number_by(secret, number * G_GUINT64_CONSTANT(0xf1de83e19937733d));
}

static guint64 hash_first(const LttHashSecret *secret, guint number)
{
	return ltt_hash_pair_by(secret, number, 1);
}

static guint64 hash_second(const LttHashSecret *secret, guint number)
{
	return ltt_hash_pair_by(secret, 1, (guint64)number << 32);
}

static guint64 hash_length(const LttHashSecret *secret, guint number)
{
	static const guint8 zeros[N_KEYS];

	return ltt_hash_bytes_by(secret, zeros, number);
}

typedef guint64 (*HashFunc)(const LttHashSecret *secret, guint number);

static const HashFunc sets[] = {hash_text,    hash_high,  hash_float,  hash_low,
				hash_inverse, hash_first, hash_second, hash_length};

/* Returns: the number of keys with a value of the low bits that no key before had. Of random values,
 * it is 63.2 % of N_KEYS */
static guint count_values(HashFunc hash, const LttHashSecret *secret, guint shift)
{
	guint8 seen[N_KEYS] = {0};
	guint n = 0;

	for (guint i = 0; i < N_KEYS; i++) {
		guint8 *place = &seen[hash(secret, i) >> shift & (N_KEYS - 1)];

		n += *place == 0;
		*place = 1;
	}
	return n;
}

/* Secrets like those of processes, from a fixed seed. */
static void make_secrets(LttHashSecret *secrets)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1);

	for (guint i = 0; i < N_SECRETS; i++) {
		secrets[i].start = (guint64)g_rand_int(random) << 32 | g_rand_int(random);
		secrets[i].factor = (guint64)g_rand_int(random) << 32 | g_rand_int(random) | 1;
	}
}

static void test_values_spread(void)
{
	LttHashSecret secrets[N_SECRETS];

	make_secrets(secrets);
	for (guint i = 0; i < N_SECRETS; i++)
		for (guint j = 0; j < G_N_ELEMENTS(sets); j++) {
			CU_ASSERT_TRUE(count_values(sets[j], &secrets[i], 0) > N_KEYS / 2);
			CU_ASSERT_TRUE(count_values(sets[j], &secrets[i], 20) > N_KEYS / 2);
			CU_ASSERT_TRUE(count_values(sets[j], &secrets[i], 64 - N_TURNS) >
				       N_KEYS / 2);
		}
}

static gint compare(gconstpointer a, gconstpointer b)
{
	const guint64 first = *(const guint64 *)a;
	const guint64 second = *(const guint64 *)b;

	return (first > second) - (first < second);
}

static void test_all_values_differ(void)
{
	guint64 values[N_KEYS];

	for (guint j = 0; j < G_N_ELEMENTS(sets); j++) {
		guint n_equal = 0;

		for (guint i = 0; i < N_KEYS; i++)
			values[i] = sets[j](&first_secret, i);
		qsort(values, N_KEYS, sizeof(*values), compare);
		for (guint i = 1; i < N_KEYS; i++)
			n_equal += values[i] == values[i - 1];
		CU_ASSERT_EQUAL(n_equal, 0);
	}
}

static void test_secrets_give_different_values(void)
{
	LttHashSecret secrets[N_SECRETS];

	make_secrets(secrets);
	for (guint i = 1; i < N_SECRETS; i++)
		for (guint j = 0; j < G_N_ELEMENTS(sets); j++)
			CU_ASSERT_NOT_EQUAL(sets[j](&secrets[i], 7), sets[j](&secrets[0], 7));
}

static void test_functions_for_tables(void)
{
	const guint64 number = (guint64)7 << 32;
	char one[2 * N_TURNS + 1];
	char two[2 * N_TURNS + 1];

	make_text(one, 0);
	make_text(two, 1);
	CU_ASSERT_EQUAL(g_str_hash(one), g_str_hash(two));
	CU_ASSERT_NOT_EQUAL(ltt_hash_bytes(one, strlen(one)), ltt_hash_bytes(two, strlen(two)));
	CU_ASSERT_EQUAL(ltt_hash_text(one), (guint)ltt_hash_bytes(one, strlen(one)));
	CU_ASSERT_EQUAL(ltt_hash_int64(&number), (guint)ltt_hash_number(number));
	CU_ASSERT_EQUAL(ltt_hash_word(GUINT_TO_POINTER(7)), (guint)ltt_hash_number(7));
	CU_ASSERT_EQUAL(ltt_hash_pair(1, 2), ltt_hash_pair_by(&ltt_hash_secret, 1, 2));
	CU_ASSERT_EQUAL(ltt_hash_secret.factor & 1, 1);
}

/* Bytes behind the key do not matter, and a key without bytes has no place. */
static void test_length_of_bytes(void)
{
	for (guint length = 0; length <= 17; length++) {
		g_autofree guint8 *exact = g_malloc(length);
		guint8 longer[32];

		memset(longer, 0xff, sizeof(longer));
		for (guint i = 0; i < length; i++)
			longer[i] = exact[i] = (guint8)(i + 1);
		CU_ASSERT_EQUAL(ltt_hash_bytes(exact, length), ltt_hash_bytes(longer, length));
	}
}

UNIT_MAIN("hash", UNIT(test_values_spread), UNIT(test_all_values_differ),
	  UNIT(test_secrets_give_different_values), UNIT(test_functions_for_tables),
	  UNIT(test_length_of_bytes))
