using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>The pool of connections to schema <c>read</c>, which keep their statements prepared.</summary>
internal static class ReadDatabase
{
    /// <summary>Milliseconds until PostgreSQL ends the session of a process that hangs in a transaction.</summary>
    public const int HangLimit = 8_000;

    /// <summary>
    /// Every statement reads by a key. A plan prepared while a table was small would scan the table for ever.
    /// </summary>
    public const string PlannerSettings = "-c enable_seqscan=off -c jit=off";

    // A Projector that hangs keeps its session, because its kernel still responds. The limits end the session and so
    // its locks, whether it has yet to send a statement or to receive a result; the longest pause of its own in a
    // transaction is the five seconds of reading the event log under the lock.
    private static readonly string settings =
        $"{PlannerSettings} "
        + $"-c idle_in_transaction_session_timeout={HangLimit} -c tcp_user_timeout={HangLimit}";

    public static NpgsqlDataSource Create(string connectionString)
    {
        var connection = new NpgsqlConnectionStringBuilder(connectionString)
        {
            ApplicationName = "apexshop-projector",
            MaxAutoPrepare = 100,
            AutoPrepareMinUsages = 2,
            NoResetOnClose = true,
            // A statement without a time limit, which looks for documents with an old name, would else wait for hours
            // for a server that has vanished.
            TcpKeepAlive = true,
            TcpKeepAliveTime = 5,
            TcpKeepAliveInterval = 2,
        };
        connection.Options = $"{connection.Options} {settings}".TrimStart();
        return new NpgsqlDataSourceBuilder(connection.ConnectionString) { Name = "projector" }.Build();
    }
}
