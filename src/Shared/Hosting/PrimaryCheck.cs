namespace ApexShop.Hosting;

/// <summary>
/// For responses that follow from reads alone. A primary that hung and was replaced meanwhile serves reads until it is
/// stopped, also with transactions that no other server has.
/// </summary>
public static class PrimaryCheck
{
    /// <summary>
    /// An expression that writes to the write-ahead log and changes nothing. The commit of its transaction waits for
    /// the replica, as that of a change does, so it never ends at a server that was replaced. Without a replica to wait
    /// for it writes nothing.
    /// </summary>
    public const string Sql =
        """
        CASE WHEN current_setting('synchronous_standby_names') <> '' THEN pg_logical_emit_message(true, '', '') END
        """;
}
