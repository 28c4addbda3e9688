// CLinux
