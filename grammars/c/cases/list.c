#include <stdio.h>
#include "list.h"

#define LIMIT 10
#define MAX(a, b) \
    ((a) > (b) ? (a) : (b))

/* A list. */
typedef struct list {
    struct list *next;
    int (*compare)(const void *, const void *);
    unsigned flags : 3, mode;
} list_t, *list_ptr;

struct node;

union value { int i; float f; };

enum color { RED, GREEN = 2 };

typedef int (*callback)(int);

static const char *names[] = { "a", "b" };
extern int counter, *pointer;
int (*handlers[4])(int);

/* Declared. */
int *find(list_t *l, int key);

// Makes one.
static inline list_t *
make(int n)
{
    int local = 1;
    struct inside { int a; };
    return 0;
}

#ifdef DEBUG
void dump(void) { printf("void fake(void) {}\n"); }
#endif

API_EXPORT(int) exported(void)
{
    return 0;
}
