namespace ApexShop.Prove.Faults;

/// <summary>The processes of a PostgreSQL: a signal to the server reaches none of its sessions.</summary>
internal static class PostgresProcesses
{
    /// <summary>
    /// The server and then its sessions, which are read after the server was signalled. In a cluster the data is one
    /// folder deeper, and the server is no child of Patroni.
    /// </summary>
    public static IEnumerable<string> Of(string data)
    {
        var server = Path.Combine(data, "server");
        var file = Path.Combine(Directory.Exists(server) ? server : data, "postmaster.pid");
        if (!File.Exists(file)) yield break;
        if (File.ReadLines(file).Take(2).ToList() is not [var pid, var folder]) yield break;
        // A PostgreSQL works in its folder. The file of one that was killed stays, and its pid is used again.
        if (new DirectoryInfo($"/proc/{pid}/cwd").LinkTarget != folder) yield break;
        yield return pid;
        var children = $"/proc/{pid}/task/{pid}/children";
        if (!File.Exists(children)) yield break;
        foreach (var child in File.ReadAllText(children).Split(' ', StringSplitOptions.RemoveEmptyEntries))
            yield return child;
    }

    public static async Task SignalAsync(string data, string signal)
    {
        foreach (var pid in Of(data))
        {
            try
            {
                await CommandLineControl.RunAsync("kill", "-s", signal, pid);
            }
            catch (InvalidOperationException) when (!Directory.Exists($"/proc/{pid}"))
            {
                // The session has ended by itself.
            }
        }
    }
}
