// Loaded before libc (LD_PRELOAD): notes what a process does to the files of one folder, so that the simulated disk can
// tell what a power cut would leave. SIMULATED_DISK is the folder, SIMULATED_JOURNAL the file of the notes. The first
// byte of SIMULATED_CONTROL says whether the disk is full: then files cannot grow.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_FILES 4096

enum { CREATE = 1, WRITE, TRUNCATE, SYNC, UNLINK, RENAME };

struct note {
  uint32_t kind, path_bytes, data_bytes, reserved;
  uint64_t offset;
};

static char *paths[MOST_FILES];
static const char *folder;
static int journal = -1;
static volatile uint8_t *control;

__attribute__((constructor)) static void begin(void) {
  folder = getenv("SIMULATED_DISK");
  const char *notes = getenv("SIMULATED_JOURNAL"), *state = getenv("SIMULATED_CONTROL");
  if (!folder || !notes || !state) return;
  journal = syscall(SYS_openat, AT_FDCWD, notes, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  int fd = syscall(SYS_openat, AT_FDCWD, state, O_RDONLY | O_CLOEXEC);
  control = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
}

static int watched(const char *path) {
  return journal >= 0 && path && strncmp(path, folder, strlen(folder)) == 0;
}

static const char *path_of(int fd) {
  return fd >= 0 && fd < MOST_FILES ? paths[fd] : NULL;
}

static void note(uint32_t kind, const char *path, const void *data, size_t bytes, uint64_t offset) {
  struct note head = {kind, strlen(path), bytes, 0, offset};
  struct iovec parts[] = {{&head, sizeof head}, {(void *)path, head.path_bytes}, {(void *)data, bytes}};
  if (writev(journal, parts, 3) != (ssize_t)(sizeof head + head.path_bytes + bytes)) abort();
}

static int opened(int fd, const char *path, int is_new, int flags) {
  if (fd < 0 || fd >= MOST_FILES || !watched(path)) return fd;
  free(paths[fd]);
  paths[fd] = strdup(path);
  if (is_new) note(CREATE, path, "", 0, 0);
  else if (flags & O_TRUNC) note(TRUNCATE, path, "", 0, 0);
  return fd;
}

static int open_noted(const char *path, int flags, mode_t mode) {
  struct stat found;
  int is_new = watched(path) && (flags & O_CREAT) && stat(path, &found) != 0;
  int fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  return opened(fd, path, is_new, flags);
}

static mode_t mode_from(int flags, va_list rest) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_from(flags, rest);
  va_end(rest);
  return open_noted(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_from(flags, rest);
  va_end(rest);
  return open_noted(path, flags | O_LARGEFILE, mode);
}

int close(int fd) {
  if (path_of(fd)) {
    free(paths[fd]);
    paths[fd] = NULL;
  }
  return syscall(SYS_close, fd);
}

static int no_room(int fd, uint64_t end) {
  struct stat found;
  if (!control || control[0] == 0 || fstat(fd, &found) != 0 || end <= (uint64_t)found.st_size) return 0;
  errno = ENOSPC;
  return 1;
}

static ssize_t written(int fd, const void *data, ssize_t done, uint64_t offset) {
  if (done > 0) note(WRITE, path_of(fd), data, done, offset);
  return done;
}

ssize_t pwrite64(int fd, const void *data, size_t bytes, off64_t offset) {
  if (!path_of(fd)) return syscall(SYS_pwrite64, fd, data, bytes, offset);
  if (no_room(fd, offset + bytes)) return -1;
  return written(fd, data, syscall(SYS_pwrite64, fd, data, bytes, offset), offset);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset) {
  return pwrite64(fd, data, bytes, offset);
}

ssize_t write(int fd, const void *data, size_t bytes) {
  if (!path_of(fd)) return syscall(SYS_write, fd, data, bytes);
  int append = fcntl(fd, F_GETFL) & O_APPEND;
  uint64_t offset = lseek(fd, 0, append ? SEEK_END : SEEK_CUR);
  if (no_room(fd, offset + bytes)) return -1;
  return written(fd, data, syscall(SYS_write, fd, data, bytes), offset);
}

int ftruncate64(int fd, off64_t size) {
  int failed = syscall(SYS_ftruncate, fd, size);
  if (failed == 0 && path_of(fd)) note(TRUNCATE, path_of(fd), "", 0, size);
  return failed;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int synced(int fd, int failed) {
  if (failed == 0 && path_of(fd)) note(SYNC, path_of(fd), "", 0, 0);
  return failed;
}

int fsync(int fd) { return synced(fd, syscall(SYS_fsync, fd)); }

int fdatasync(int fd) { return synced(fd, syscall(SYS_fdatasync, fd)); }

int unlink(const char *path) {
  int failed = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (failed == 0 && watched(path)) note(UNLINK, path, "", 0, 0);
  return failed;
}

int rename(const char *from, const char *to) {
  int failed = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (failed == 0 && watched(from)) note(RENAME, from, to, strlen(to), 0);
  return failed;
}
