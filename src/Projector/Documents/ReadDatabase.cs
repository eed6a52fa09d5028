using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>The pool of connections to schema <c>read</c>, which keep their statements prepared.</summary>
internal static class ReadDatabase
{
    public static NpgsqlDataSource Create(string connectionString) =>
        new NpgsqlDataSourceBuilder(new NpgsqlConnectionStringBuilder(connectionString)
        {
            ApplicationName = "apexshop-projector",
            MaxAutoPrepare = 100,
            AutoPrepareMinUsages = 2,
            NoResetOnClose = true,
            // Every statement reads by a key. A plan prepared while a table was small would scan the table for ever.
            Options = "-c enable_seqscan=off -c jit=off",
        }.ConnectionString) { Name = "projector" }.Build();
}
