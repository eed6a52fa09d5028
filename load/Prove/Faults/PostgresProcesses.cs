namespace ApexShop.Prove.Faults;

/// <summary>
/// The processes of a PostgreSQL of a cluster, which are no children of Patroni, whose pid is in the pid file.
/// </summary>
internal static class PostgresProcesses
{
    /// <summary>The server and then its sessions, which are read after the server was signalled.</summary>
    public static IEnumerable<string> Of(string data)
    {
        var file = Path.Combine(data, "postmaster.pid");
        if (!File.Exists(file)) yield break;
        var pid = File.ReadLines(file).First();
        // The file of one that was killed stays, and its pid is used again.
        if (Directory.ResolveLinkTarget($"/proc/{pid}/cwd", true)?.FullName != RealPath(data)) yield break;
        yield return pid;
        var children = $"/proc/{pid}/task/{pid}/children";
        if (!File.Exists(children)) yield break;
        foreach (var child in File.ReadAllText(children).Split(' ', StringSplitOptions.RemoveEmptyEntries))
            yield return child;
    }

    // The folder above may be a link to one that the user postgres can enter.
    private static string RealPath(string data)
    {
        var folder = new DirectoryInfo(Path.GetDirectoryName(data)!);
        return Path.Combine((folder.ResolveLinkTarget(true) ?? folder).FullName, Path.GetFileName(data));
    }
}
