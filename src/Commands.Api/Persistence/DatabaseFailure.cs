using System.Net.Sockets;
using Npgsql;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>Which exceptions are failures of the database.</summary>
internal static class DatabaseFailure
{
    extension(Exception failure)
    {
        /// <summary>
        /// Whether a statement or its connection failed. The driver does not wrap the last two, which are thrown when
        /// the address of the server is not resolved, or not in time.
        /// </summary>
        public bool IsOfDatabase => failure is NpgsqlException or SocketException or TimeoutException;
    }
}
