using System.Globalization;

namespace ApexShop.Faults.Tests;

/// <summary>Finds the process that owns a connection by its local port (Linux).</summary>
internal static class Sockets
{
    private const int LocalAddress = 1;
    private const int Inode = 9;

    public static bool Owns(int process, int port)
    {
        var inodes = File.ReadLines("/proc/net/tcp").Skip(1)
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(socket => PortOf(socket[LocalAddress]) == port)
            .Select(socket => $"socket:[{socket[Inode]}]")
            .ToHashSet();
        return Directory.EnumerateFileSystemEntries($"/proc/{process}/fd").Any(open => IsOneOf(inodes, open));
    }

    private static int PortOf(string address) =>
        int.Parse(address.AsSpan(address.IndexOf(':') + 1), NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    private static bool IsOneOf(HashSet<string> inodes, string open)
    {
        try
        {
            return inodes.Contains(new FileInfo(open).LinkTarget ?? "");
        }
        catch (IOException)
        {
            // The socket was closed meanwhile.
            return false;
        }
    }
}
